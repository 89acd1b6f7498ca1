import { Download, FileText, Image as ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../parts/button';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { addressOfFile, useFileFacts } from './file-facts';
import style from './panel.module.css';
import { Picture } from './picture';

/**
 * A file that a respondent sent: its name, a way to save it, and a look at it if it is a harmless picture.
 * @param ownName the words for a file that its sender did not name
 */
export function FileAnswer({ form, id, name: ownName }: { form: string; id: string; name?: string }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { data } = useFileFacts(form, id);
  const [isShown, setIsShown] = useState(false);
  const name = ownName ?? data?.name ?? say.file;
  return (
    <div className={style.file}>
      <div className={style.fileHead}>
        <FileText size={16} aria-hidden />
        <span className={style.fileName}>
          <bdi>{name}</bdi>
          {data && Number.isFinite(data.size) && <span className="muted"> {formats.bytes(data.size)}</span>}
        </span>
        {data?.hasPreview && !isShown && (
          <Button isSmall look="quiet" icon={ImageIcon} aria-label={say.showPictureOf(name)} onPress={() => setIsShown(true)}>
            {say.showPicture}
          </Button>
        )}
        <ButtonLink isSmall look="quiet" icon={Download} aria-label={say.downloadFile(name)} href={addressOfFile(form, id)} download>
          {say.download}
        </ButtonLink>
      </div>
      {isShown && data && <Picture form={form} id={id} name={name} type={data.type} className={style.picture} />}
    </div>
  );
}
