import type { OptionImage } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { ImagePlus, Trash2 } from 'lucide-react';
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { problemSentence } from '../../api/problem-sentence';
import { Button, IconButton } from '../../parts/button';
import { TextField } from '../../parts/fields';
import { pictureTypes } from '../../parts/picture-file';
import { useLanguage, useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import { pictureQuery, useAddPicture } from '../model/pictures';

interface Props {
  image: OptionImage | undefined;
  number: number;
  /** Changes the picture as it is by then: somebody may write while it is sent. */
  onChange: (to: (now: OptionImage | undefined) => OptionImage | undefined) => void;
}

const imageIn = (data: DataTransfer): File | undefined => [...data.files].find(({ type }) => type.startsWith('image/'));

/** The picture of an option: chosen as a file, pasted, or dropped here. */
export function OptionPicture({ image, number, onChange }: Props) {
  const say = useWords('builder').settings;
  const language = useLanguage();
  const { form } = useEditing();
  const add = useAddPicture(form.id);
  const [state, setState] = useState<{ isAdding: boolean; fault?: string }>({ isAdding: false });
  const input = useRef<HTMLInputElement>(null);
  const { data } = useQuery({ ...pictureQuery(form.id, image?.picture ?? ''), enabled: image !== undefined });
  const take = async (file: File | undefined) => {
    if (!file || state.isAdding) return;
    setState({ isAdding: true });
    try {
      const picture = await add(file);
      if (picture !== undefined) onChange((now) => ({ ...now, picture }));
      setState(picture === undefined ? { isAdding: false, fault: say.pictureRefused } : { isAdding: false });
    } catch (error) {
      setState({ isAdding: false, fault: problemSentence(error, language).title });
    }
  };
  const takeFrom = (event: ClipboardEvent | DragEvent, from: DataTransfer) => {
    const file = imageIn(from);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void take(file);
  };
  return (
    <div
      className={style.picture}
      onPaste={(event) => takeFrom(event, event.clipboardData)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => takeFrom(event, event.dataTransfer)}
    >
      {image && <img src={data?.picture} alt="" />}
      <Button isSmall icon={ImagePlus} isPending={state.isAdding} onPress={() => input.current?.click()}>
        {state.isAdding ? say.addingPicture : image ? say.replacePicture(number) : say.addPicture(number)}
      </Button>
      {image && <IconButton isSmall icon={Trash2} label={say.removePicture(number)} onPress={() => onChange(() => undefined)} />}
      <input
        ref={input}
        type="file"
        hidden
        accept={pictureTypes.join()}
        aria-label={say.pictureOf(number)}
        onChange={({ target }) => {
          void take(target.files?.[0]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      {image && (
        <TextField
          label={say.pictureText(number)}
          isLabelHidden
          placeholder={say.pictureTextHint}
          value={image.alt ?? ''}
          maxLength={200}
          onChange={(text) =>
            onChange((now) => now && (text.trim() === '' ? { picture: now.picture } : { picture: now.picture, alt: text }))
          }
        />
      )}
      {state.fault !== undefined && <p role="alert">{state.fault}</p>}
    </div>
  );
}
