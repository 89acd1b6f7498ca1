import { hasSetting, type FormItem } from '@sheaf/contracts';
import { isElement, type Kind } from './kinds';

/** A new field or element, which is valid as it is. */
export function newItem(kind: Kind, label: string, option: (number: number) => string): FormItem {
  if (isElement(kind)) return { type: kind, label };
  const common = { key: '', label, required: false };
  if (kind === 'consent') return { ...common, type: 'boolean', required: true, must_be_true: true };
  if (!hasSetting({ type: kind }, 'options')) return { ...common, type: kind };
  return { ...common, type: kind, options: [1, 2].map((number) => ({ value: option(number), label: option(number) })) };
}
