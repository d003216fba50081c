// Like the site's starter code: a global, blocking readline(), and an endless loop.
while (true) {
    const gamePhase = readline();
    const applicationCount = parseInt(readline());
    for (let i = 0; i < applicationCount; i++) {
        var inputs = readline().split(' ');
    }
    for (let i = 0; i < 2; i++) {
        var inputs = readline().split(' ');
    }
    const cardLocationsCount = parseInt(readline());
    for (let i = 0; i < cardLocationsCount; i++) {
        var inputs = readline().split(' ');
    }
    const possibleMovesCount = parseInt(readline());
    for (let i = 0; i < possibleMovesCount; i++) {
        const possibleMove = readline();
    }
    console.error('kibitz phase ' + gamePhase);
    console.log('RANDOM');
}
