const reloadedKey = 'sheaf.reloaded';
const againAfterMs = 10_000;

/**
 * A page that was opened before an update asks for files that no longer exist once it goes to another route. Then it loads anew, which brings
 * the new version; not twice within seconds, in case the files are missing for another reason.
 */
export function reloadForNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < againAfterMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
