import { contrast, defaultColours, minTextContrast, type FormSettings } from '@sheaf/contracts';

/** The surface that questions stand on, and the text; the same as in tokens.css. */
const light = { surface: '#ffffff', ink: defaultColours.text };
const dark = { surface: '#1c2027', ink: '#e9ebef' };

/**
 * The style sheet of a form's theme, which changes accent and background alone; empty if the theme has neither. The colours were checked when
 * they were saved, in light mode. In dark mode the accent becomes lighter, until it can be read, and of the background a shade remains.
 */
export function themeCss({ accent, background }: NonNullable<FormSettings['theme']>): string {
  const inLight = [...accentTokens(accent, light, '#000000'), ...canvasTokens(background, light.ink)];
  const inDark = [...accentTokens(accent, dark, '#ffffff'), ...canvasTokens(background && mix(background, '#000000', 0.92), dark.ink)];
  return inLight.length === 0 ? '' : `:root{${inLight.join(';')}}@media(prefers-color-scheme:dark){:root{${inDark.join(';')}}}`;
}

function accentTokens(accent: string | undefined, { surface, ink }: { surface: string; ink: string }, towards: string): string[] {
  if (accent === undefined) return [];
  const readable = readableOn(surface, accent, towards);
  const tint = mix(readable, surface, 0.9);
  return [
    `--accent:${readable}`,
    `--on-accent:${clearestOn(readable, ['#ffffff', '#000000'])}`,
    // Text must stay readable on it.
    `--tint:${contrast(tint, ink) < minTextContrast ? surface : tint}`,
    `--focus:${readable}`,
  ];
}

const canvasTokens = (canvas: string | undefined, ink: string): string[] =>
  canvas === undefined ? [] : [`--canvas:${canvas}`, `--canvas-ink:${clearestOn(canvas, [ink, '#000000', '#ffffff'])}`];

/** The colour itself if it is readable, else the first shade of it towards another one that is. */
function readableOn(surface: string, colour: string, towards: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const shade = mix(colour, towards, share);
    if (contrast(shade, surface) >= minTextContrast) return shade;
  }
  return towards;
}

/** The first ink that is readable, else the clearest: black or white always is. */
function clearestOn(colour: string, inks: readonly [string, ...string[]]): string {
  const readable = inks.find((ink) => contrast(ink, colour) >= minTextContrast);
  return readable ?? inks.reduce((best, ink) => (contrast(ink, colour) > contrast(best, colour) ? ink : best));
}

/** A mixture of two colours with the share of the other one, from 0 to 1. */
function mix(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
