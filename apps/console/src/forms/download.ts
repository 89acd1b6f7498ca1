/** Saves a text as a file on the person's device. Characters that systems do not allow in a name become hyphens. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '-');
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
