export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const conditions: Record<Theme, string> = { system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' };

/** The rules for dark mode, found once: afterwards their condition no longer tells them apart. */
let darkRules: CSSMediaRule[] | undefined;

/** Shows the page as the system wishes, or always light or dark, by rewriting the condition of the rules for dark mode. */
export function applyTheme(theme: Theme): void {
  darkRules ??= [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter((rule) => rule.conditionText.includes('prefers-color-scheme'));
  for (const rule of darkRules) rule.media.mediaText = conditions[theme];
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
}
