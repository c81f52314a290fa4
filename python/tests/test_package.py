"""What the package says of itself where it is published."""

import importlib.metadata
import re


def test_the_package_brings_its_licence_its_classifiers_and_no_link_into_the_repository():
    distribution = importlib.metadata.distribution("texam")
    about = distribution.metadata
    assert (about["License-Expression"], about["License-File"]) == ("GPL-3.0-or-later", "LICENSE")
    licence = next(file for file in distribution.files if file.name == "LICENSE")
    assert "GNU GENERAL PUBLIC LICENSE" in licence.read_text()
    assert "Typing :: Typed" in about.get_all("Classifier")
    assert about["Requires-Python"] == ">=3.10"
    links = re.findall(r"\]\(([^)]*)\)", about.get_payload())
    assert all(link.startswith("https://") for link in links), links
