import { contrast, defaultColours, minTextContrast, type FormSettings } from '@sheaf/contracts';
import type { AnswerFault } from '@sheaf/kernel';

/** The faults between settings that have a valid shape; `key` is a path such as `theme.accent`. */
export const settingsFaults = (settings: FormSettings): AnswerFault[] => [...languageFaults(settings), ...themeFaults(settings)];

function languageFaults({ languages, default_language: own, translations = {} }: FormSettings): AnswerFault[] {
  const offered = languages ?? (own === undefined ? [] : [own]);
  const faults = Object.keys(translations)
    .filter((language) => !offered.includes(language))
    .map((language) => ({ key: `translations.${language}`, message: 'must be one of the languages that the form offers' }));
  return own === undefined || offered.includes(own)
    ? faults
    : [{ key: 'default_language', message: `must be one of languages (${offered.join(', ')})` }, ...faults];
}

const white = '#ffffff';

/**
 * A page shows its text on the background, the accent in links on the background, and white text on buttons in the accent. The check is
 * about light mode: in dark mode, pages derive their own colours from the accent.
 */
function themeFaults({ theme = {} }: FormSettings): AnswerFault[] {
  const { accent = defaultColours.accent, background = defaultColours.background } = theme;
  const text = contrastFault('theme.background', background, defaultColours.text, 'the text');
  const button = contrastFault('theme.accent', accent, white, 'the text on buttons');
  // On a background without an accent, the author can change only the background.
  const link =
    theme.accent === undefined
      ? contrastFault('theme.background', background, accent, 'the accent')
      : contrastFault('theme.accent', accent, background, 'the background');
  // On white, links and buttons are the same pair of colours.
  return [...text, ...(background === white ? [] : button), ...link];
}

function contrastFault(key: string, colour: string, other: string, name: string): AnswerFault[] {
  const ratio = contrast(colour, other);
  if (ratio >= minTextContrast) return [];
  // Rounded down, so that a ratio just below the minimum does not look like it.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  return [{ key, message: `has a contrast of ${shown}:1 with ${name} ${other}; it needs at least ${minTextContrast}:1` }];
}
