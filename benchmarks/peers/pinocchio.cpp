// Pinocchio's articulated-body algorithm behind functions that Python can call.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

struct Robot {
  pinocchio::Model model;
  pinocchio::Data data;
  Eigen::VectorXd q, v, tau;
};

extern "C" {

// A robot from the text that Pinocchio's Python wrote, in one state.
Robot *robot_new(const char *text, const double *q, const double *v, const double *tau) {
  using Map = Eigen::Map<const Eigen::VectorXd>;
  pinocchio::Model model;
  pinocchio::serialization::loadFromString(model, text);
  return new Robot{model, pinocchio::Data(model), Map(q, model.nq), Map(v, model.nv), Map(tau, model.nv)};
}

void robot_accelerate(Robot *robot) {
  pinocchio::aba(robot->model, robot->data, robot->q, robot->v, robot->tau, pinocchio::Convention::LOCAL);
}

const double *robot_acceleration(const Robot *robot) { return robot->data.ddq.data(); }
}
