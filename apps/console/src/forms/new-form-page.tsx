import { createForm } from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useBlocker, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutList } from 'lucide-react';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { AsksToLeave } from '../builder/editor/leaving';
import { Palette } from '../builder/editor/palette';
import type { Kind } from '../builder/model/kinds';
import { Button } from '../parts/button';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty } from '../parts/states';
import { TextField } from '../parts/text-field';
import { useWorkspaceRole } from '../session/session';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { reloadLists } from './actions';
import { useNoteFirstForm } from './first-steps';
import style from './new-form-page.module.css';

/** A form that is made with its first field or its title: one that is left as it is was never made. */
export function NewFormPage() {
  const say = useWords('forms');
  useTitle(say.newForm);
  const role = useWorkspaceRole();
  return role === undefined || role === 'viewer' ? <Navigate to="/console/forms" replace /> : <NewForm />;
}

function NewForm() {
  const say = useWords('forms');
  const { page: builderSay } = useWords('builder');
  const [title, setTitle] = useState('');
  const isTitled = title.trim() !== '';
  const { keep, open, isMade, isBusy, error } = useMaking(title);
  const { status, proceed, reset } = useBlocker({
    // The title is all that could be lost. If it cannot be kept, the page says why, and asks.
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && isTitled && !isMade() && !(await keep()),
    enableBeforeUnload: () => !isMade() && isTitled,
    withResolver: true,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone with its page, and the focus with it.
  useEffect(() => heading.current?.focus(), []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isTitled) open();
  };
  return (
    <Page>
      <h1 ref={heading} tabIndex={-1}>
        {say.newForm}
      </h1>
      <form onSubmit={onSubmit} className={style.title}>
        <TextField
          label={say.title}
          help={say.newFormHelp}
          value={title}
          onChange={setTitle}
          maxLength={200}
          autoComplete="off"
          isReadOnly={isBusy}
        />
        {isTitled && (
          <Button type="submit" isPending={isBusy}>
            {say.createForm}
          </Button>
        )}
      </form>
      {error !== null && <Problem error={error} />}
      <Empty icon={LayoutList} title={builderSay.emptyTitle} actions={<Palette onAdd={open} hasFields={false} isPending={isBusy} />}>
        {builderSay.emptyHelp}
      </Empty>
      {status === 'blocked' && <AsksToLeave proceed={proceed} reset={reset} />}
    </Page>
  );
}

/** Makes the form once, however often that is asked for, unless it fails. */
function useMaking(title: string) {
  const { folder } = useSearch({ from: '/shell/console/forms/new' });
  const isFirst = useLocation({ select: ({ state }) => state.isFirstForm === true });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const noteFirst = useNoteFirstForm();
  const made = useRef<string>(undefined);
  const making = useRef<Promise<string>>(undefined);
  const hasFailed = useRef(false);
  /** Repeated with the same key, it gives the form that may be there although its answer was lost. */
  const attempt = useRef<{ title: string; key: string }>(undefined);
  const { mutateAsync, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const wanted = title.trim();
      if (attempt.current?.title !== wanted) attempt.current = { title: wanted, key: crypto.randomUUID() };
      const { id } = await createForm({
        client,
        body: { title: wanted, ...(folder === undefined ? {} : { folder_id: folder }) },
        headers: { 'Idempotency-Key': attempt.current.key },
      });
      made.current = id;
      if (isFirst) noteFirst(id);
      return id;
    },
    onError: () => {
      making.current = undefined;
      hasFailed.current = true;
    },
    onSettled: () => void reloadLists(queryClient),
  });
  const make = () => (making.current ??= mutateAsync());
  return {
    /**
     * Whether the form is made, for somebody who leaves. Once that has failed, only its button makes it again: under another title, it could be a
     * second one.
     */
    keep: () =>
      hasFailed.current && making.current === undefined
        ? Promise.resolve(false)
        : make().then(
            () => true,
            () => false,
          ),
    /** Goes on in the builder, which somebody is on the way to until the next page is there: at the title, or with a field that is added there. */
    open: (kind?: Kind) => {
      if (making.current !== undefined) return;
      void make().then(
        (form) =>
          navigate({
            to: '/console/forms/$form/build',
            params: { form },
            state: kind === undefined ? { isNewForm: true } : { firstField: kind },
            replace: true,
          }),
        // It is shown.
        () => undefined,
      );
    },
    isMade: () => made.current !== undefined,
    isBusy: isPending || isSuccess,
    error,
  };
}
