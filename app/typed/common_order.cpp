#include "app/typed/common_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace warplens::typed {

std::vector<std::vector<int>> common_order(std::vector<std::vector<int>> warps) {
    std::vector<int> most;  // executions of an access
    for (std::vector<int>& warp : warps) {
        std::vector<int> made;
        for (const int access : warp) {
            if (std::ssize(made) <= access) made.resize(access + 1);
            ++made[access];
        }
        if (most.size() < made.size()) most.resize(made.size());
        for (std::size_t i = 0; i < made.size(); ++i) most[i] = std::max(most[i], made[i]);
    }
    std::vector<int> first(most.size() + 1);
    for (std::size_t i = 0; i < most.size(); ++i) first[i + 1] = first[i] + most[i];
    std::vector<std::pair<int, int>> steps;  // from one execution to the next
    for (std::vector<int>& warp : warps) {
        std::vector<int> next(first);
        for (int& one : warp) one = next[one]++;
        for (std::size_t i = 1; i < warp.size(); ++i) steps.emplace_back(warp[i - 1], warp[i]);
    }
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    std::vector<int> before(first.back()), places(first.back(), -1);
    for (const auto& [from, to] : steps) ++before[to];
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int i = 0; i < first.back(); ++i)
        if (before[i] == 0) ready.push(i);
    for (int place = 0, rest = 0; place < first.back();) {
        if (ready.empty()) {  // warps do two things in different orders
            while (places[rest] >= 0) ++rest;
            ready.push(rest);
        }
        const int now = ready.top();
        ready.pop();
        if (places[now] >= 0) continue;
        places[now] = place++;
        for (auto step = std::ranges::lower_bound(steps, std::pair(now, 0));
             step != steps.end() && step->first == now; ++step)
            if (--before[step->second] == 0) ready.push(step->second);
    }
    for (std::vector<int>& warp : warps)
        for (int& one : warp) one = places[one];
    return warps;
}

}  // namespace warplens::typed
