#pragma once

#include "app/model/random_settings.h"

namespace warplens::test {

using warplens::random_params;
using warplens::small_random_params;

}  // namespace warplens::test
