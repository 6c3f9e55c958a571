/** Calls back, at once. What is thrown there, or rejected, goes no further. */
export async function alone(callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch {
    // there is nobody to tell
  }
}
