/**
 * The longest wait that `setTimeout` takes, in milliseconds: a longer one would end at once.
 * @stable
 */
export const longestTimerMs = 2_147_483_647;

/**
 * Lets the process end while a timer waits. A timer of Node's keeps its process alive; elsewhere it is a number, and does not.
 * @stable
 */
export function letExit(timer: { readonly unref?: () => unknown } | number): void {
  if (typeof timer === "object") timer.unref?.();
}
