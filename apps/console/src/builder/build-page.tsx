import { mayEdit, useForm } from '../form/form';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { DraftPage } from './editor/draft-page';
import { ReadOnlyPage } from './editor/read-only-page';

/** The questions of a form: to change for editors and owners, to look at for viewers. */
export function BuildPage() {
  const say = useWords('builder').page;
  const form = useForm();
  useTitle(say.build, form.title);
  return mayEdit(form) ? <DraftPage key={form.id} form={form} /> : <ReadOnlyPage key={form.id} form={form} />;
}
