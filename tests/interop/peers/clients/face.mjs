/** What a call came to: its text, and whether the tool failed. */
export function answer({ content, isError = false }) {
  return { text: content.map((block) => block.text ?? "").join("\n"), isError };
}

/** Both official clients have the same words for the options of a call. */
export function requestOptions({ signal, timeoutMs, onProgress } = {}) {
  const onprogress = onProgress && (({ progress, total }) => onProgress(progress, total));
  return { signal, timeout: timeoutMs, onprogress, resetTimeoutOnProgress: true };
}
