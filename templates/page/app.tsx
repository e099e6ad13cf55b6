import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { placeOf, type Place } from "./address.js";
import type { Catalogue } from "./connection/catalogue.js";
import type { PageData } from "./connection/page-data.js";
import { usePreview } from "./connection/preview.js";
import { useSession } from "./connection/session.js";
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

function StaticPage({ catalogue }: { readonly catalogue: Catalogue }): JSX.Element {
  return <CatalogueView catalogue={catalogue} place={usePlace()} connection={undefined} />;
}

function LivePage(props: { readonly previewAddress: string | undefined }): JSX.Element {
  const place = usePlace();
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
            place={place}
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

/** What the address of the page says that it shows. */
function usePlace(): Place | undefined {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return place;
}
