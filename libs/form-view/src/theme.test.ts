import { contrast, defaultColours } from '@sheaf/contracts';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { themeCss } from './theme';

type Tokens = Record<string, string>;

/** The colour tokens of a style sheet, in light and in dark mode. */
function tokensOf(css: string): { light: Tokens; dark: Tokens } {
  const read = (part: string): Tokens =>
    Object.fromEntries([...part.matchAll(/(?<![a-z-])--([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', colour = '']) => [name, colour]));
  const [light = '', dark = ''] = css.split(/@media\s*\(prefers-color-scheme:\s*dark\)/);
  return { light: read(light), dark: { ...read(light), ...read(dark.slice(0, dark.indexOf('}') + 1)) } };
}

/** Which colour stands on which, and how clear it has to be: text 4.5:1 (WCAG 1.4.3), controls and focus 3:1 (1.4.11, 2.4.13). */
const pairs: [front: string, back: string, least: number][] = [
  ['canvas-ink', 'canvas', 4.5],
  ['ink', 'surface', 4.5],
  ['muted', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['on-accent', 'accent', 4.5],
  ['ink', 'tint', 4.5],
  ['fault', 'surface', 4.5],
  ['fault', 'fault-tint', 4.5],
  ['ink', 'fault-tint', 4.5],
  ['ink', 'note-tint', 4.5],
  ['note', 'note-tint', 3],
  ['note', 'surface', 3],
  ['edge', 'surface', 3],
  ['accent', 'tint', 3],
  ['focus', 'surface', 3],
];

const unclear = (tokens: Tokens): string[] =>
  pairs.flatMap(([front, back, least]) => {
    const ratio = contrast(tokens[front] ?? '', tokens[back] ?? '');
    return ratio >= least ? [] : [`${front} on ${back}: ${ratio.toFixed(2)}`];
  });

const own = readFileSync(join(__dirname, 'style/tokens.css'), 'utf8');
const { light, dark } = tokensOf(own);

describe('The colours of a form', () => {
  it('are clear enough in light mode', () => expect(unclear(light)).toEqual([]));

  it('are clear enough in dark mode', () => expect(unclear(dark)).toEqual([]));

  it('are in light mode those that a theme is checked against', () => {
    expect(light).toMatchObject({ accent: defaultColours.accent, surface: defaultColours.background, ink: defaultColours.text });
  });

  it('stay clear with every theme', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(colour, colour, (accent, background) => {
        const themed = tokensOf(themeCss({ accent, background }));
        expect(unclear({ ...light, ...themed.light })).toEqual([]);
        expect(unclear({ ...dark, ...themed.dark })).toEqual([]);
      }),
    );
  });
});

describe('The style sheet of a theme', () => {
  it('has the accent and background that the author chose', () => {
    expect(themeCss({ accent: '#7c2d12', background: '#fffbeb' })).toContain(':root{--accent:#7c2d12;--on-accent:#ffffff;');
    expect(themeCss({ background: '#fffbeb' })).toMatch(/^:root\{--canvas:#fffbeb;--canvas-ink:#1a1d21\}/);
  });

  it('is empty for a theme that has only a logo', () => expect(themeCss({ logo: 'data:image/png;base64,AAAA' })).toBe(''));
});
