import { downloadFile } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { Download, FileText, Image as ImageIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../api/client';
import { Button, ButtonLink } from '../parts/button';
import { Problem } from '../parts/problem';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { fileNameIn } from './export-file';
import { submissionsKey } from './list-data';
import style from './panel.module.css';

/** Pictures without scripts in them, which a browser only decodes. SVG is none of them. */
const previewed = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const maxPreviewBytes = 10 * 2 ** 20;

const addressOf = (form: string, id: string) => `/app/v1/forms/${encodeURIComponent(form)}/files/${encodeURIComponent(id)}`;

export const fileKey = (form: string, id: string) => [...submissionsKey(form), 'file', id];

/** The name, type and size of a file. Asked for without its content, so that the audit log has only what people really downloaded. */
function useFileFacts(form: string, id: string) {
  return useQuery({
    queryKey: fileKey(form, id),
    queryFn: async ({ signal }) => {
      const { ok, headers } = await fetch(addressOf(form, id), { method: 'HEAD', signal });
      if (!ok) return undefined;
      return {
        name: fileNameIn(headers),
        type: headers.get('content-type') ?? '',
        size: Number(headers.get('content-length') ?? Number.NaN),
      };
    },
    staleTime: Infinity,
  });
}

/** A file that a respondent sent: its name, a way to save it, and a look at it if it is a harmless picture. */
export function FileAnswer({ form, id }: { form: string; id: string }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { data } = useFileFacts(form, id);
  const [isShown, setIsShown] = useState(false);
  const name = data?.name ?? say.file;
  const type = data?.type.split(';')[0]?.trim() ?? '';
  const hasPreview = data !== undefined && previewed.includes(type) && data.size <= maxPreviewBytes;
  return (
    <div className={style.file}>
      <div className={style.fileHead}>
        <FileText size={16} aria-hidden />
        <span className={style.fileName}>
          <bdi>{name}</bdi>
          {data !== undefined && Number.isFinite(data.size) && <span className="muted"> {formats.bytes(data.size)}</span>}
        </span>
        {hasPreview && !isShown && (
          <Button isSmall look="quiet" icon={ImageIcon} aria-label={say.showPictureOf(name)} onPress={() => setIsShown(true)}>
            {say.showPicture}
          </Button>
        )}
        <ButtonLink isSmall look="quiet" icon={Download} aria-label={say.downloadFile(name)} href={addressOf(form, id)} download>
          {say.download}
        </ButtonLink>
      </div>
      {isShown && <Picture form={form} id={id} name={name} type={type} />}
    </div>
  );
}

function Picture({ form, id, name, type }: { form: string; id: string; name: string; type: string }) {
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    const load = async () => {
      const response = await downloadFile({ client, path: { id: form, fileId: id }, signal: ending.signal });
      // With the type that was looked at, whatever the file may be.
      made = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
      setAddress(made);
    };
    load().catch((thrown: unknown) => !ending.signal.aborted && setError(thrown));
    return () => {
      ending.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [form, id, type]);
  if (error !== undefined) return <Problem error={error} />;
  return address === undefined ? null : <img src={address} alt={name} className={style.picture} />;
}
