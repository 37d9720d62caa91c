import { useEffect, useRef } from 'react';
import type { Dragged } from '#kernel/web/registry.ts';
import { useMoving } from './useMoving.ts';

/** Confirms the move of a meeting that was dragged among the rooms of a day or week. */
export default function Mover({ onSettled, ...dragged }: Dragged) {
  const move = useMoving();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void move(dragged).then(onSettled);
  });
  return null;
}
