// What sets two rulebooks apart, provision by provision.
import { html, useEffect, useState } from "../kit/html.js";
import { loadLaw } from "../kit/laws.js";
import { ClauseChip, ClauseText } from "../parts/clause.js";

function Wording({ said, book, of }) {
  const [open, setOpen] = useState("");
  useEffect(() => {
    if (open) loadLaw(book);
  }, [open]);
  return html`
    <td data-of=${of}>${said.words || "nothing"} ${(said.clauses ?? []).slice(0, 2).map((name) => html`
      <${ClauseChip} key=${name} name=${name} book=${book} open=${open === name} onPress=${() => setOpen(open === name ? "" : name)} /> `)}
      ${open && html`<${ClauseText} names=${[open]} book=${book} />`}</td>`;
}

const Only = ({ title, duties, book }) =>
  duties.length > 0 && html`
    <section class="only"><h2>Only in ${title}</h2>
      <table><tbody>${duties.map((duty) => html`<tr><${Wording} said=${duty} book=${book} /></tr>`)}</tbody></table></section>`;

export function Comparison({ first, second, diff }) {
  const sections = [...new Set(diff.differences.map((one) => one.section))];
  const title = second?.title ?? diff.second;
  return html`
    <div class="rules-head"><div><h1 class="page-title">${first.title} and ${title}</h1>
      <p class="quiet-text">${diff.differences.length} differences. <a href="/rules/${first.id}">Back to ${first.title}</a></p></div></div>
    <div class="comparison" id="clauses" tabindex="-1">
      ${sections.map((section) => html`
        <table key=${section}><caption>${section}</caption>
          <thead><tr><th scope="col">Provision</th><th scope="col">${first.title}</th><th scope="col">${title}</th></tr></thead>
          <tbody>${diff.differences.filter((one) => one.section === section).map((one) => html`
            <tr key=${one.provision}><th scope="row">${one.name}</th><${Wording} said=${one.first} book=${diff.first ?? first.id} of=${first.title} /><${Wording} said=${one.second} book=${diff.second ?? second?.id} of=${title} /></tr>`)}</tbody></table>`)}
      <${Only} title=${first.title} duties=${diff.only_first} book=${first.id} />
      <${Only} title=${title} duties=${diff.only_second} book=${second?.id} />
    </div>`;
}
