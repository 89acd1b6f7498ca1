/** How to verify a signature in one language. */
export interface Recipe {
  language: string;
  code: string;
}

/**
 * Takes the functions out of docs/verify-webhooks.md, which Sheaf's tests run, and fills in this instance.
 * @param page the Markdown of that page
 * @param origin `https://forms.example.org`
 */
export function recipesOf(page: string, origin: string): Recipe[] {
  const sections = page.split(/^#{2,3} /m).slice(1);
  return sections.flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n')).trim();
    const code = /```(?:js|python|go|php|ruby)\n([\s\S]*?)```/.exec(section)?.[1];
    if (code === undefined) return [];
    const language = title.startsWith('In JavaScript') ? 'JavaScript' : title;
    return [{ language, code: code.trimEnd().replaceAll('https://forms.example.org', origin) }];
  });
}
