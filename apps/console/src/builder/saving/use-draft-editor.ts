import { getFormDraft, saveFormDraft, SheafConnectionError, SheafError, type Change, type Draft, type DraftRequest } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { client } from '../../api/client';
import { hasStatus } from '../../api/problem-sentence';
import { noteSignedOut, useSignedOut } from '../../session/signed-out';
import { useChanges, useOnline } from '../../shell/live-changes';
import { DraftEditor, type EditorState, type Surroundings } from './draft-editor';

const surroundingsOf = (id: string): Surroundings => ({
  save: (draft) => saveFormDraft({ client, path: { id }, body: draft as DraftRequest }),
  load: () => getFormDraft({ client, path: { id } }),
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  verdict: (error) => {
    if (hasStatus(error, 409)) return 'conflict';
    if (hasStatus(error, 400)) return 'refused';
    if (hasStatus(error, 401)) {
      noteSignedOut();
      return 'signed_out';
    }
    const mayPass = error instanceof SheafConnectionError || (error instanceof SheafError && (error.status >= 500 || error.status === 429));
    return mayPass ? 'passing' : 'final';
  },
  detailsOf: (error) => {
    if (!(error instanceof SheafError)) return [];
    return error.details.length > 0 ? error.details : [{ key: '', message: error.message }];
  },
});

/** The editor of a form's draft, for as long as the page is open. When it closes, what is not saved yet is saved. */
export function useDraftEditor(formId: string, draft: Draft): DraftEditor {
  const [editor] = useState(() => new DraftEditor(draft, surroundingsOf(formId)));
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const isSignedOut = useSignedOut();
  const wasHeld = useRef(false);

  useChanges(
    formId,
    useCallback(({ kind }: Change) => kind === 'draft' && editor.noteSavedSomewhere(), [editor]),
    editor.noteGap,
  );
  useEffect(() => {
    const isHeld = !isOnline || isSignedOut;
    if (wasHeld.current && !isHeld) void editor.flush();
    wasHeld.current = isHeld;
  }, [editor, isOnline, isSignedOut]);
  useEffect(
    () => () => {
      // The next visit loads the draft anew.
      void editor.flush().then(() => queryClient.removeQueries({ queryKey: ['draft', formId] }));
    },
    [editor, formId, queryClient],
  );
  return editor;
}

export const useEditorState = (editor: DraftEditor): EditorState => useSyncExternalStore(editor.subscribe, editor.read);
