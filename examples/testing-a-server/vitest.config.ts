// Without this file the test runner would find the configuration of the repository around it.
export default {};
