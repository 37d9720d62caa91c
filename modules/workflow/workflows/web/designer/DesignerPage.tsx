import { Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import '#kernel/web/kit/kit.css';
import { arrange } from '../graph/route/arrange.ts';
import { linksOf } from '../graph/route/links.ts';
import { graphOfDefinition } from '../graph/of-draft.ts';
import { useNames } from '../names.ts';
import { positionsOf, type Draft } from './state/draft.ts';
import { moveStates } from './state/edits.ts';
import { Editor } from './Editor.tsx';
import { useDesign } from './parts/PublishDialog.tsx';
import './designer.css';

/** The page that designs a workflow, in a browser tab of its own. */
export default function DesignerPage() {
  const id = Number(useParams()['id']);
  const { data: design, error, refetch } = useDesign(id);
  const names = useNames(design?.module);
  const [begun, setBegun] = useState<Draft | null>(null);
  usePageTitle(design && `设计：${design.name}`);
  useEffect(() => {
    if (!design || begun) return;
    let wanted = true;
    void placed(design.definition).then((draft) => wanted && setBegun(draft));
    return () => {
      wanted = false;
    };
  }, [design, begun]);
  if (error && !design) return <FailedState error={error} retry={() => void refetch()} />;
  if (!design || !begun) return <Skeleton active className="kit-panel" paragraph={{ rows: 12 }} />;
  return (
    <Editor
      key={id}
      design={design}
      initial={begun}
      names={names}
      fresh={async () => {
        const { data } = await refetch();
        return data ? { draft: await placed(data.definition), version: data.version } : null;
      }}
    />
  );
}

const unnamed = {
  person: String,
  dept: String,
  role: String,
  group: String,
  cards: () => [],
  roles: [],
  groups: [],
  meanings: [],
};

/** A definition in which every state has a position: old ones have none, and are laid out. */
async function placed(draft: Draft): Promise<Draft> {
  if (positionsOf(draft)) return draft;
  const { states, transitions } = graphOfDefinition(draft, unnamed);
  return moveStates(draft, await arrange(states, linksOf(transitions)));
}
