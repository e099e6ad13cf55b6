import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parseAddress, type ItemAddress } from "./address.js";
import type { PageData, StaticCatalogue } from "./connection/page-data.js";
import { usePreview } from "./connection/preview.js";
import { useSession } from "./connection/session.js";
import { skillsOf } from "./connection/skills.js";
import { texts } from "./texts.js";
import { Boundary } from "./views/boundary.js";
import { CatalogueView } from "./views/catalogue-view.js";
import { Failure } from "./views/failure.js";
import { QuestionDialog } from "./views/question-dialog.js";
import { TokenForm } from "./views/token-form.js";

export function App({ catalogue, preview }: PageData): JSX.Element {
  return (
    <Boundary>
      {catalogue === undefined ? (
        <LivePage previewAddress={preview} />
      ) : (
        <StaticPage catalogue={catalogue} />
      )}
    </Boundary>
  );
}

function StaticPage(props: { readonly catalogue: StaticCatalogue }): JSX.Element {
  const catalogue = useMemo(() => {
    const { skills, ...others } = props.catalogue;
    return skills === undefined ? others : { ...others, skills: skillsOf(skills) };
  }, [props.catalogue]);
  return <CatalogueView catalogue={catalogue} address={useAddress()} connection={undefined} />;
}

function LivePage(props: { readonly previewAddress: string | undefined }): JSX.Element {
  const address = useAddress();
  const { state, question, connectWith, askForToken, renew } = useSession();
  const preview = usePreview(props.previewAddress, renew);
  switch (state.kind) {
    case "connecting":
      return (
        <main class="alone" aria-busy="true">
          <p>{texts.connecting}</p>
        </main>
      );
    case "failed":
      return (
        <main class="alone">
          <Failure title={texts.cannotConnect} error={state.error} />
          <button type="button" class="primary" onClick={() => connectWith(state.token)}>
            {texts.tryAgain}
          </button>
        </main>
      );
    case "token":
      return <TokenForm refused={state.refused} onToken={connectWith} />;
    case "connected":
      return (
        <>
          <CatalogueView
            catalogue={state.catalogue}
            address={address}
            connection={state.connection}
            preview={preview}
            onToken={state.token === undefined ? undefined : () => askForToken()}
            onRefused={askForToken}
          />
          {question !== undefined && <QuestionDialog key={question.number} {...question} />}
        </>
      );
  }
}

/** The item that the page's address names now. */
function useAddress(): ItemAddress | undefined {
  const [address, setAddress] = useState(() => parseAddress(location.hash));
  useEffect(() => {
    const update = (): void => setAddress(parseAddress(location.hash));
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return address;
}
