/** Says something politely: it is shown, and read out once a screen reader is silent. */
export function say(text: string | undefined): void {
  const status = document.getElementById('status');
  if (status) status.textContent = text ?? '';
}
