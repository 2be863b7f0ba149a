// Not part of any program: a call from the model up to a function of app/experiment, for walls.cmake.
namespace warplens {

int all_boards();
int planted_call() { return all_boards(); }

}  // namespace warplens
