/** Whether this page may send forms. In a sandbox that forbids it, a browser does not even say that somebody wants to send one. */
export function canSend(): boolean {
  let isAsked = false;
  const probe = document.createElement('form');
  probe.hidden = true;
  probe.addEventListener('submit', (event) => {
    event.preventDefault();
    isAsked = true;
  });
  document.body.append(probe);
  probe.requestSubmit();
  probe.remove();
  return isAsked;
}

/** Says that the form cannot be sent from here, and leads to where it can. The address is there to be copied, too: a sandbox may forbid windows. */
export function offerOwnWindow(form: HTMLFormElement): void {
  const content = form.querySelector('template')?.content;
  if (!content) return;
  const [link, written] = content.querySelectorAll('a, span') as Iterable<Element> as [HTMLAnchorElement, Element];
  const address = new URL(location.href);
  address.searchParams.delete('embed');
  link.href = written.textContent = address.href;
  document.querySelector('main')?.prepend(content);
}
