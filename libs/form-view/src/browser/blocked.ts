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
  const { blocked = '', open = '' } = form.dataset;
  const address = new URL(location.href);
  address.searchParams.delete('embed');
  const link = document.createElement('a');
  link.href = address.href;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = open;
  const written = document.createElement('span');
  written.className = 'address';
  written.dir = 'ltr';
  written.textContent = address.href;
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  for (const part of [blocked, link, written]) {
    const paragraph = document.createElement('p');
    paragraph.append(part);
    notice.append(paragraph);
  }
  document.querySelector('main')?.prepend(notice);
}
