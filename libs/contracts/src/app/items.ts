import type { Field, FormItem } from './draft';
import { fieldTypes } from './field-types';

// Not beside the shapes: the console takes these, and would load zod with them.
export const isField = (item: FormItem): item is Field => Object.hasOwn(fieldTypes, item.type);

export const fieldsOf = (items: readonly FormItem[]): Field[] => items.filter(isField);
