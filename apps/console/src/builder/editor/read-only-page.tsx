import type { FormSettingsDetail } from '@sheaf/client';
import { isAlwaysRequired, mainTextOf } from '@sheaf/contracts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Eye, GitBranch } from 'lucide-react';
import { ButtonLink } from '../../parts/button';
import { classes } from '../../parts/classes';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { contentsOf, isField, type Entry } from '../model/contents';
import { iconOf, kindOf } from '../model/kinds';
import { partName, partText } from '../differences/value-text';
import { versionQuery } from '../versions/version-query';
import style from './editor.module.css';

/** The latest version, for those who may not change the form. */
export function ReadOnlyPage({ form }: { form: FormSettingsDetail }) {
  const say = useWords('builder').page;
  if (form.current_version === 0)
    return (
      <Empty icon={Eye} title={say.neverPublishedTitle}>
        {say.neverPublishedHelp}
      </Empty>
    );
  return (
    <Page isNarrow>
      <div className={style.actions}>
        <p className={style.grows}>{say.viewOnly}</p>
        <ButtonLink isSmall href={`/console/forms/${form.id}/versions`}>
          {say.versions}
        </ButtonLink>
      </div>
      <Items form={form} />
    </Page>
  );
}

function Items({ form }: { form: FormSettingsDetail }) {
  const say = useWords('builder').page;
  const { data } = useSuspenseQuery(versionQuery(form.id, form.current_version));
  const { entries } = contentsOf(data);
  return (
    <ol aria-label={say.items} className={style.list}>
      {entries.map((entry) => (
        <Item key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

const shownParts = [
  'help',
  'item_label',
  'options',
  'other',
  'min',
  'max',
  'low_label',
  'high_label',
  'appearance',
  'score',
  'min_length',
  'max_length',
  'pattern',
  'required_if',
  'visible_if',
  'if',
  'at',
  'text',
  'redirect_url',
];

function Item({ entry: { item, in: repeat } }: { entry: Entry }) {
  const words = useWords('builder');
  const formats = useFormats();
  const kind = kindOf(item);
  const Icon = iconOf(kind);
  return (
    <li className={classes(style.item, repeat !== undefined && style.inner)}>
      <Icon size={16} aria-hidden className={style.kind} />
      <div className={style.itemText}>
        <bdi>{mainTextOf(item)}</bdi>
        <span className="muted">
          {words.kinds[kind]}
          {isField(item) && isAlwaysRequired(item) && ` · ${words.page.required}`}
        </span>
        {shownParts.map((part) => {
          const text = partText(item, part, words, formats);
          return text === undefined ? null : (
            <span key={part} className="muted">
              {part === 'visible_if' && <GitBranch size={12} aria-hidden />} {partName(part, words, item)}: <bdi>{text}</bdi>
            </span>
          );
        })}
      </div>
    </li>
  );
}
