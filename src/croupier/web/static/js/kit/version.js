// Whether the server has other pages by now than the one that is open here.
const own = document.querySelector("meta[name=croupier-version]")?.content;

export const isOutdated = (facts) => Boolean(own && facts?.version && facts.version !== own);
