export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const conditions: Record<Theme, string> = { system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' };

/** The rules for dark mode of each page, found once: afterwards their condition no longer tells them apart. */
const darkRules = new WeakMap<Document, CSSMediaRule[]>();

/**
 * Shows the page, or one in a frame, as the system wishes, or always light or dark, by rewriting the condition of the rules for dark mode.
 */
export function applyTheme(theme: Theme, page: Document = document): void {
  const rules = darkRules.get(page) ?? darkRulesOf(page);
  darkRules.set(page, rules);
  for (const rule of rules) rule.media.mediaText = conditions[theme];
  page.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}

const darkRulesOf = (page: Document): CSSMediaRule[] =>
  // Safari before 16.4 has no adopted style sheets.
  [...page.styleSheets, ...('adoptedStyleSheets' in page ? page.adoptedStyleSheets : [])]
    .flatMap((sheet) => [...sheet.cssRules])
    // A frame has classes of its own.
    .filter((rule): rule is CSSMediaRule => 'conditionText' in rule && 'media' in rule)
    .filter((rule) => rule.conditionText.includes('prefers-color-scheme'));
