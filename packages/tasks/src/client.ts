export { type AnswerQuestion, type FollowOptions, followDefaults } from "./client/follow.js";
export { cancelTask, getTask, updateTask } from "./client/requests.js";
export { followTask, type StartedTool, startTool, tasks } from "./client/tasks.js";
