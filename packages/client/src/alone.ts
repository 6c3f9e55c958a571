/** Calls back. What the caller's function throws, or rejects with if it is an async one, goes to `failed` and no further. */
export function alone(callback: () => unknown, failed: (error: unknown) => void): void {
  try {
    const returned = callback();
    if (typeof returned === "object" && returned !== null) Promise.resolve(returned).catch(failed);
  } catch (error) {
    failed(error);
  }
}
