import type { FoundForm } from '@sheaf/client';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { memo, type DragEvent } from 'react';
import { HeldSpamLink } from '../form/held-spam';
import { FormStatus } from '../form/form-status';
import { IconButton } from '../parts/button';
import { classes } from '../parts/classes';
import { Badge, Since } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import type { FormActions } from './actions';
import { formDragType } from './drag-types';
import { FormMenu, type Ask } from './form-menu';
import style from './form-list.module.css';
import { may } from './may';

interface FormRowProps {
  form: FoundForm;
  /** The labels that lead to its folder, where the list shows forms of several folders. */
  folder: string | undefined;
  actions: FormActions;
  ask: Ask;
  canDrag: boolean;
}

/** A form in the list. The whole row leads to it. A list of a thousand is drawn again whenever more load: rows that stay as they are cost nothing then. */
export const FormRow = memo(function FormRow({ form, folder, actions, ask, canDrag }: FormRowProps) {
  const say = useWords('forms');
  const isTrashed = form.status === 'trashed';
  // Read by the tree of folders, as text of a type of our own. By keyboard, forms move with the menu.
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.setData(formDragType, form.id);
    event.dataTransfer.effectAllowed = 'move';
  };
  return (
    <div role="row" className={style.row} draggable={canDrag && may(form).change} onDragStart={onDragStart}>
      <div role="cell" className={style.star}>
        {!isTrashed && (
          <IconButton
            isSmall
            icon={Star}
            label={say.favorite(form.title)}
            aria-pressed={form.favorite}
            onPress={() => actions.setFavorite(form, !form.favorite)}
          />
        )}
      </div>
      <div role="cell" className={style.title}>
        {isTrashed ? (
          <span className={style.name} dir="auto">
            {form.title}
          </span>
        ) : (
          <Link
            to="/console/forms/$form"
            params={{ form: form.id }}
            className={classes(style.name, style.link)}
            dir="auto"
            draggable={false}
          >
            {form.title}
          </Link>
        )}
        {(folder !== undefined || form.role !== 'owner') && (
          <span className={style.detail}>
            {folder !== undefined && <span dir="auto">{folder}</span>}
            {form.role !== 'owner' && <span>{nameIn(say.youAre, form.role)}</span>}
          </span>
        )}
      </div>
      <div role="cell" className={style.status}>
        <FormStatus form={form} />
        {form.unpublished_changes && form.current_version > 0 && <Badge tone="waiting">{say.unpublished}</Badge>}
      </div>
      <div role="cell" className={style.counts}>
        <Counts form={form} />
      </div>
      <div role="cell" className={style.last}>
        {form.last_submission_at === undefined ? (
          <span className="visually-hidden">{say.none}</span>
        ) : (
          <Since time={form.last_submission_at} />
        )}
      </div>
      <div role="cell" className={style.menu}>
        <FormMenu form={form} actions={actions} ask={ask} />
      </div>
    </div>
  );
});

function Counts({ form }: { form: FoundForm }) {
  const { submissions } = form;
  const say = useWords('forms');
  const formats = useFormats();
  if (submissions === null) return <span title={say.notCounted}>–</span>;
  return (
    <>
      {submissions.new > 0 && <span className={style.new}>{say.newOnes(formats.number(submissions.new))}</span>}
      <span>
        {formats.number(submissions.total)} <span className={style.unit}>{say.submissionsOf(submissions.total)}</span>
      </span>
      <HeldSpamLink form={form} />
    </>
  );
}
