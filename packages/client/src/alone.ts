/** Calls back. What the caller's function throws, or rejects with if it is an async one, goes to `failed` and no further. */
export async function alone(callback: () => unknown, failed: (error: unknown) => void): Promise<void> {
  try {
    await callback();
  } catch (error) {
    failed(error);
  }
}
