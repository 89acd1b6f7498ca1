/**
 * Tells the page around this one how high it is, as `@open-iframe-resizer/core` expects it there. Its own code for the inner page reports
 * only when it is asked, and the page around asks once: the second step of a form would keep the height of the first.
 */
export function reportHeight(): void {
  const root = document.documentElement;
  // The height is no secret, and the page around may be on any site that the form allows.
  const report = () => parent.postMessage({ type: 'iframe-resized', height: Math.ceil(root.getBoundingClientRect().height) }, '*');
  new ResizeObserver(report).observe(root);
  addEventListener('message', ({ source, data }: MessageEvent<{ type?: unknown } | null>) => {
    if (source === parent && data?.type === 'iframe-child-init') report();
  });
  parent.postMessage({ type: 'sheaf-title', title: document.title }, '*');
}
