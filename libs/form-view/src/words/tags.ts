/** The most tags to remember; authors and respondents choose them. */
const maxRemembered = 1_000;

/** The parts of a tag that decide whether two mean the same language to a reader: `zh-TW` is written like `zh-Hant`, `pt-BR` like `pt`. */
interface LikelyTag {
  tag: string;
  language: string;
  script: string | undefined;
}

const likely = new Map<string, LikelyTag | undefined>();

/** @returns undefined if the text is not a language tag. */
export function likelyTag(tag: string): LikelyTag | undefined {
  if (likely.has(tag)) return likely.get(tag);
  if (likely.size >= maxRemembered) likely.clear();
  const read = readTag(tag);
  likely.set(tag, read);
  return read;
}

function readTag(text: string): LikelyTag | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,5}$/i.test(text)) return undefined;
  try {
    const { baseName, language, script } = new Intl.Locale(text).maximize();
    // Maximized, `de` and `de-DE` are the same.
    return { tag: baseName, language, script };
  } catch {
    return undefined;
  }
}

/**
 * The offered tag that is closest to the wanted one: the same tag, the same language in the same region, the same language in the same
 * script, the same language. @returns undefined if the language is not offered.
 */
export function closestTag(wanted: string, offered: readonly string[]): string | undefined {
  if (offered.includes(wanted)) return wanted;
  const target = likelyTag(wanted);
  if (!target) return undefined;
  const same = offered.flatMap((tag) => {
    const read = likelyTag(tag);
    return read?.language === target.language ? [{ offered: tag, read }] : [];
  });
  const best = same.find(({ read }) => read.tag === target.tag) ?? same.find(({ read }) => read.script === target.script) ?? same[0];
  return best?.offered;
}

const rightToLeft: ReadonlySet<string | undefined> = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(likelyTag(language)?.script) ? 'rtl' : 'ltr');
