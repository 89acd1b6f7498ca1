import { enumComponents, withNamedEnums } from './enums';
import { fieldComponents } from './fields';
import { componentsOf, type Schema, type Side } from './schemas';

/** All schemas of the document by name, with named enums and one component for each kind of field. */
export function allComponents(): Record<string, Schema> {
  return { ...enumComponents, ...side('input'), ...side('output') };
}

function side(which: Side): Record<string, Schema> {
  const suffix = which === 'input' ? 'Input' : '';
  const { [`Field${suffix}`]: field, [`FormItem${suffix}`]: item, ...others } = componentsOf(which);
  const fields = field && item ? fieldComponents(field, item, suffix) : {};
  return withNamedEnums({ ...others, ...fields }) as Record<string, Schema>;
}
