/** The least contrast of text with its background (WCAG 2.2, 1.4.3). */
export const minTextContrast = 4.5;

/** The colours of a hosted form without a theme, in light mode. */
export const defaultColours = { accent: '#1d4ed8', background: '#ffffff', text: '#1a1d21' } as const;

/**
 * The contrast ratio of two colours such as `#1d4ed8`, from 1 to 21 (WCAG 2.2, *contrast ratio*). It has no dependencies, because form-view
 * and the check of a theme share it.
 */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of a colour, from 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
