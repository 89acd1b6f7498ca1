import type { FormSettingsDetail } from '@sheaf/client';
import { ExternalLink } from 'lucide-react';
import { useSettingsDraft } from '../form/settings-draft';
import { SettingsSection } from '../form/settings-section';
import { ButtonLink } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { TextField } from '../parts/fields';
import { Section } from '../parts/page';
import { languageName } from '../words/language-name';
import { useWords } from '../words/use-words';
import { linkOf, nameOf } from './link';
import { QrCode } from './qr-code';
import style from './share.module.css';

/** The form's address, also as a QR code and in each of its languages. */
export function LinkSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const link = linkOf(form);
  return (
    <>
      <Section title={say.link} help={say.linkHelp}>
        <div className={style.withCode}>
          <div className={style.stack}>
            <Address link={link} label={say.copyLink} />
            <ButtonLink icon={ExternalLink} href={link} target="_blank" rel="noreferrer">
              {say.openLink}
            </ButtonLink>
            {form.languages !== undefined && form.languages.length > 1 && <Languages form={form} tags={form.languages} />}
          </div>
          <QrCode link={link} name={nameOf(form)} />
        </div>
      </Section>
      <SlugSection form={form} mayEdit={mayEdit} />
    </>
  );
}

function Address({ link, label }: { link: string; label: string }) {
  return (
    <div className={style.address}>
      <code>{link}</code>
      <CopyButton text={link} label={label} />
    </div>
  );
}

function Languages({ form, tags }: { form: FormSettingsDetail; tags: readonly string[] }) {
  const say = useWords('share');
  return (
    <div className={style.stack}>
      <h3>{say.perLanguage}</h3>
      <p className="muted">{say.perLanguageHelp}</p>
      <ul className={style.languages}>
        {tags.map((tag) => (
          <li key={tag}>
            <a href={linkOf(form, tag)} target="_blank" rel="noreferrer" lang={tag}>
              {languageName(tag)}
            </a>
            <CopyButton isIcon text={linkOf(form, tag)} label={say.copyLinkIn(languageName(tag))} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SlugSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const draft = useSettingsDraft(form);
  const slug = draft.value('slug') ?? '';
  const shown = slug === '' ? form.id : slug;
  return (
    <SettingsSection title={say.slugTitle} help={say.slugHelp} draft={draft} paths={['slug']} mayEdit={mayEdit}>
      <TextField
        label={say.slug}
        help={`${location.origin}/f/${shown}`}
        value={slug}
        onChange={(text) =>
          draft.set(
            'slug',
            text.trim() === ''
              ? null
              : text
                  .trim()
                  .toLowerCase()
                  .replaceAll(/[\s_]+/g, '-'),
          )
        }
        fault={draft.fault('slug')}
        maxLength={64}
        isReadOnly={!mayEdit}
        autoComplete="off"
        spellCheck="false"
      />
    </SettingsSection>
  );
}
