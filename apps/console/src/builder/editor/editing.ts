import type { FormSettingsDetail } from '@sheaf/client';
import type { Field } from '@sheaf/contracts';
import { createContext, use } from 'react';
import type { Edit } from '../model/edits';
import type { DraftEditor, EditorState } from '../saving/draft-editor';

/** The state that the parts of the editor share. */
export interface Editing {
  form: FormSettingsDetail;
  editor: DraftEditor;
  state: EditorState;
  edit: (edit: Edit) => void;
  /** The fields of the latest version, by their key. */
  published: ReadonlyMap<string, Field>;
  /** The id of the item whose settings are shown. */
  selected: string | undefined;
  select: (id: string | undefined, isNew?: boolean) => void;
  /** The item that was just added: its label is about to be typed. */
  added: string | undefined;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('This belongs into the editor.');
  return editing;
}
