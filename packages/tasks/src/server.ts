export { type TaskTool, taskTool } from "./server/task-tool.js";
export { createTasks, type TasksOptions, taskDefaults } from "./server/tasks.js";
