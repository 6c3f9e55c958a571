export { defaultMaxTasks, type MemoryTasksOptions, memoryTasks } from "./memory.js";
export { isOver, type Task, type TaskError, type TaskFacts, type TaskStatus, tasksId } from "./model.js";
export type { TaskRecord, TaskStore } from "./store.js";
