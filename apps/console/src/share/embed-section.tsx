import type { FormSettingsDetail } from '@sheaf/client';
import { useState } from 'react';
import { useSettingsDraft } from '../form/settings-draft';
import { SettingsSection } from '../form/settings-section';
import { CopyButton } from '../parts/copy-button';
import { RadioGroup, TextField } from '../parts/fields';
import { Code, Section } from '../parts/page';
import { useWords } from '../words/use-words';
import { nameOf } from './link';
import style from './share.module.css';

/** The form on other sites: the code, what it looks like, and which sites may. */
export function EmbedSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const name = nameOf(form);
  const { origin } = location;
  const script = `<script src="${origin}/embed.js" data-form="${name}" async></script>`;
  return (
    <>
      <Section title={say.embed} help={say.embedHelp}>
        <Snippet label={say.embedCode} copy={say.copyEmbed} code={script} />
        <Preview form={form} />
        <details className={style.details}>
          <summary>{say.otherWays}</summary>
          <div className={style.stack}>
            <p>{say.frameHelp}</p>
            <Snippet label={say.frameCode} copy={say.copyFrame} code={frameCode(origin, name, form.title)} />
            <p>{say.fetchHelp}</p>
            <Snippet label={say.fetchCode} copy={say.copyScript} code={fetchCode(origin, name)} />
          </div>
        </details>
      </Section>
      <OriginsSection form={form} mayEdit={mayEdit} />
    </>
  );
}

const frameCode = (origin: string, name: string, title: string): string =>
  `<iframe src="${origin}/f/${name}?embed=1" title="${escaped(title)}" style="width: 100%; height: 40rem; border: 0"></iframe>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const fetchCode = (origin: string, name: string): string => `const base = '${origin}/public/v1/forms/${name}';
const form = await (await fetch(base)).json();
await fetch(\`\${base}/submissions\`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify({ data: { /* your answers by the keys of the fields */ }, started: form.started }),
});`;

const Snippet = ({ label, copy, code }: { label: string; copy: string; code: string }) => (
  <div className={style.snippet}>
    <Code label={label}>{code}</Code>
    <CopyButton text={code} label={copy} />
  </div>
);

/** The very frame that the script makes. It is loaded once it is opened, because that counts as a view of the form. */
function Preview({ form }: { form: FormSettingsDetail }) {
  const say = useWords('share');
  const [isOpen, setIsOpen] = useState(false);
  if (form.embed_origins?.length === 0) return <p className="muted">{say.noPreview}</p>;
  return (
    <details className={style.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{say.preview}</summary>
      {isOpen && (
        <iframe
          key={form.updated_at}
          src={`/f/${encodeURIComponent(nameOf(form))}?embed=1`}
          title={say.previewOf(form.title)}
          className={style.frame}
        />
      )}
    </details>
  );
}

type Sites = 'all' | 'some' | 'none';

function OriginsSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const draft = useSettingsDraft(form);
  const origins = draft.value('embed_origins');
  const sites: Sites = origins === null ? 'all' : origins.length === 0 ? 'none' : 'some';
  const choose = (next: Sites) => draft.set('embed_origins', next === 'all' ? null : next === 'none' ? [] : ['']);
  const faults = origins?.map((_, n) => draft.fault(`embed_origins.${n}`)).filter((fault) => fault !== undefined) ?? [];
  return (
    <SettingsSection
      title={say.sites}
      help={say.sitesHelp}
      draft={draft}
      paths={['embed_origins', ...(origins?.map((_, n) => `embed_origins.${n}`) ?? [])]}
      mayEdit={mayEdit}
    >
      <RadioGroup<Sites>
        label={say.whichSites}
        value={sites}
        onChange={choose}
        isDisabled={!mayEdit}
        options={[
          { value: 'all', label: say.allSites },
          { value: 'some', label: say.theseSites },
          { value: 'none', label: say.noSite },
        ]}
      />
      {sites === 'some' && (
        <TextField
          isLong
          label={say.siteList}
          help={say.siteListHelp}
          value={origins?.join('\n') ?? ''}
          onChange={(text) =>
            draft.set(
              'embed_origins',
              text.split('\n').map((line) => line.trim()),
            )
          }
          // An empty line is one that is about to be typed.
          onBlur={() => {
            const filled = origins?.filter((line) => line !== '') ?? [];
            if (filled.length > 0) draft.set('embed_origins', filled);
          }}
          fault={faults[0] ?? draft.fault('embed_origins')}
          isReadOnly={!mayEdit}
          spellCheck="false"
        />
      )}
    </SettingsSection>
  );
}
