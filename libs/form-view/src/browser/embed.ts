// Puts a form where the script stands: <script src="https://forms.example/embed.js" data-form="site-visit" async></script>
import { initialize } from '@open-iframe-resizer/core';

const script = document.currentScript as HTMLScriptElement;
const { form, lang, title } = script.dataset;
const prefix = 'data-prefill-';

if (form) {
  const address = new URL(`/f/${encodeURIComponent(form)}`, script.src);
  for (const { name, value } of script.attributes)
    if (name.startsWith(prefix)) address.searchParams.append(name.slice(prefix.length), value);
  if (lang) address.searchParams.set('lang', lang);
  address.searchParams.set('embed', '1');

  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.loading = 'lazy';
  // The form tells its own title once it is there.
  frame.title = title ?? form;
  frame.style.width = '100%';
  frame.style.border = '0';
  script.after(frame);

  let isFirst = true;
  frame.addEventListener('load', () => {
    // The next step begins at its top, which may be far above after a long one.
    if (!isFirst && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
    isFirst = false;
  });
  addEventListener('message', ({ source, origin, data }: MessageEvent<{ type?: unknown; title?: unknown } | null>) => {
    if (source === frame.contentWindow && origin === address.origin && data?.type === 'sheaf-title' && title === undefined)
      frame.title = String(data.title);
  });
  void initialize({}, frame);
}
