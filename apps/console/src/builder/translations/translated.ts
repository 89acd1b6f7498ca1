import type { FormItem } from '@sheaf/contracts';

type Translation = Readonly<Record<string, unknown>>;

/** The translations of an item with one more, or one less if the text is empty. */
export function translated(item: FormItem, language: string, part: string, text: string): FormItem['translations'] {
  const before = (item.translations?.[language] ?? {}) as Translation;
  const [, group, member = ''] = /^(options|rows|columns|messages)\.(.*)$/s.exec(part) ?? [];
  const parts: Record<string, unknown> = { ...before };
  if (group === undefined) parts[part] = text;
  else
    parts[group] = Object.fromEntries(Object.entries({ ...(before[group] as object), [member]: text }).filter(([, each]) => each !== ''));
  const kept = Object.entries(parts).filter(([, value]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '',
  );
  const others = Object.entries(item.translations ?? {}).filter(([each]) => each !== language);
  const all = Object.fromEntries([...others, ...(kept.length > 0 ? [[language, Object.fromEntries(kept)] as const] : [])]);
  return Object.keys(all).length > 0 ? all : undefined;
}
