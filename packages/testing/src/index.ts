export type { InMemoryOptions } from "./memory.js";
export { connectInMemory } from "./memory.js";
export type { RecordedFrame, Recording } from "./recorder.js";
export { record } from "./recorder.js";
export type { TaskStoreContract } from "./task-store-contract.js";
export { taskStoreContract } from "./task-store-contract.js";
export type { TransportContract, TransportPair } from "./transport-contract.js";
export { transportContract } from "./transport-contract.js";
