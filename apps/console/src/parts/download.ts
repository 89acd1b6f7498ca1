/** Lets the browser save what is at an address of this origin. */
export function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Saves a text as a file on the person's device. Characters that systems do not allow in a name become hyphens. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  save(url, name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '-'));
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
