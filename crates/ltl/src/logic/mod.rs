//! The core of the logic: few operators, each formula stored once.
